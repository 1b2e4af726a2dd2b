import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STYLE = `body{margin:24px;background:#f4f4f5;color:#18181b;font:13px/1.45 system-ui,sans-serif}
h1{font-size:18px}h2{margin:24px 0 8px;font-size:13px;font-weight:550}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:12px}
figure{margin:0}img{width:100%;border:1px solid #d4d4d8;border-radius:6px}figcaption{color:#52525b;font-size:11px}`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Writes a page of all pictures of a folder, a row for each scene. */
export function writeContactSheet(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.png'));
  const rows = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const scene = file.replace(/-\d+-(light|dark)\.png$/, '');
    rows.set(scene, [...(rows.get(scene) ?? []), file]);
  }
  const body = [...rows].map(([scene, pictures]) => {
    const figures = pictures.map((file) => {
      const name = escapeHtml(file);
      const caption = escapeHtml(file.slice(scene.length + 1, -'.png'.length));
      return `<figure><a href="${name}"><img loading="lazy" src="${name}" alt="${name}"></a><figcaption>${caption}</figcaption></figure>`;
    });
    return `<section><h2 id="${escapeHtml(scene)}">${escapeHtml(scene)}</h2><div class="row">${figures.join('')}</div></section>`;
  });
  const path = join(folder, 'index.html');
  const note = existsSync(join(folder, 'problems.txt')) ? '<p><a href="problems.txt">Problems</a></p>' : '';
  writeFileSync(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Interject, every view</title><style>${STYLE}</style><h1>${String(files.length)} pictures of ${String(rows.size)} scenes</h1>${note}${body.join('')}</html>\n`,
  );
  return path;
}
