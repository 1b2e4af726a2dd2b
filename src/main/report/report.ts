// A report as files: Markdown, figures and a summary for programs. Pure: the same input gives the same bytes.
import type { Drawing } from '../../figures/frame.ts';
import { toSvgText, type Figure } from '../../figures/scene.ts';

type ReportFile = { path: string; content: string | Uint8Array };
export type ReportContent = {
  title: string;
  sections: readonly string[];
  drawings: readonly Drawing[];
  summary: unknown;
  /** What is said where it is written, beside the files. */
  warnings?: readonly string[];
};

const WIDTH = 800;

/** `toPng` null: the figures are SVG alone. */
export function reportFiles(
  { title, sections, drawings, summary }: ReportContent,
  toPng: ((svg: string) => Uint8Array) | null,
): ReportFile[] {
  const figures = drawings.map((drawing) => ({
    name: drawing.name,
    heading: drawing.heading ?? null,
    light: drawing.draw({ width: WIDTH, theme: 'light' }),
    dark: drawing.draw({ width: WIDTH, theme: 'dark' }),
  }));
  const [before = '', ...after] = sections;
  const markdown = [`# ${plain(title)}`, before, ...figures.map(figureSection), ...after].join('\n\n');
  return [
    { path: 'report.md', content: `${markdown}\n` },
    { path: 'results_summary.json', content: `${JSON.stringify(summary, null, 2)}\n` },
    ...figures.flatMap(({ name, light, dark }): ReportFile[] => {
      const svg = toSvgText(light.svg);
      return [
        { path: `figures/${name}.svg`, content: `${svg}\n` },
        { path: `figures/${name}.dark.svg`, content: `${toSvgText(dark.svg)}\n` },
        ...(toPng === null ? [] : [{ path: `figures/${name}.png`, content: toPng(svg) }]),
      ];
    }),
  ];
}

/** Names come from outside: none of them becomes markup. */
export const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|!&]/g, '\\$&');

type ReportFigure = { name: string; heading: string | null; light: Figure };

function figureSection({ name, heading, light }: ReportFigure): string {
  return [
    `## ${plain(heading ?? light.title)}`,
    '<picture>',
    `<source media="(prefers-color-scheme: dark)" srcset="figures/${name}.dark.svg">`,
    `<img src="figures/${name}.svg" width="${String(WIDTH)}" alt="${light.title.replace(/[&<>"]/g, ' ')}">`,
    '</picture>',
  ]
    .join('\n\n')
    .replaceAll('\n\n<', '\n<')
    .replace('\n<picture>', '\n\n<picture>');
}

/** A table of cells that were made plain. */
export const markdownTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
