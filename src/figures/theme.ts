// The colours figures are drawn with. They are the console's own: an actor has one hue everywhere.

export type ColourName =
  'agent' | 'environment' | 'model' | 'human' | 'verifier' | 'system' | 'scripted' | 'ok' | 'error';

export type Theme = {
  background: string;
  /** Around words that stand over lines. */
  halo: string;
  ink: string;
  quiet: string;
  grid: string;
  axis: string;
  colours: Readonly<Record<ColourName, string>>;
};

export const THEMES = {
  light: {
    background: '#ffffff',
    halo: '#ffffff',
    ink: '#14171c',
    quiet: '#3e4550',
    grid: '#dde1e7',
    axis: '#838b97',
    colours: {
      agent: '#0a639c',
      environment: '#4a5a6d',
      model: '#8430ad',
      human: '#8a5000',
      verifier: '#06685f',
      system: '#5d6168',
      scripted: '#7a3d5c',
      ok: '#156b2e',
      error: '#b3201d',
    },
  },
  dark: {
    background: '#15181c',
    halo: '#15181c',
    ink: '#eceff3',
    quiet: '#bcc4ce',
    grid: '#282d34',
    axis: '#6d7682',
    colours: {
      agent: '#62b6ee',
      environment: '#a3b3c6',
      model: '#cf9bf0',
      human: '#f0b04c',
      verifier: '#4fc6b8',
      system: '#a2a6ad',
      scripted: '#dba3c0',
      ok: '#62c77e',
      error: '#ff8a80',
    },
  },
  /** The page's own variables, so that a figure follows its theme without being drawn again. */
  page: {
    background: 'none',
    halo: 'var(--surface-1)',
    ink: 'var(--ink-1)',
    quiet: 'var(--ink-2)',
    grid: 'var(--line)',
    axis: 'var(--line-strong)',
    colours: {
      agent: 'var(--actor-agent)',
      environment: 'var(--actor-environment)',
      model: 'var(--actor-model)',
      human: 'var(--actor-human)',
      verifier: 'var(--actor-verifier)',
      system: 'var(--actor-system)',
      scripted: 'var(--actor-scripted)',
      ok: 'var(--ok)',
      error: 'var(--error)',
    },
  },
} as const satisfies Record<string, Theme>;
export type ThemeName = keyof typeof THEMES;

/**
 * The order in which series without a meaning of their own take colours: those that readers with deuteranopia and with
 * protanopia tell apart, in light and in dark. A fourth begins again, with another dash and mark.
 */
export const SERIES_COLOURS: readonly ColourName[] = ['agent', 'human', 'verifier'];

/** Lines are told apart without colour: by dash, by the shape of their marks, and by a label at their end. */
export const DASHES: readonly string[] = ['', '7 4', '2 3', '9 3 2 3', '4 2', '12 3 2 3 2 3'];
export const MARKS = ['circle', 'square', 'triangle', 'diamond', 'wedge', 'cross'] as const;
export type Mark = (typeof MARKS)[number];

export const FONT =
  "'Liberation Sans', Arial, 'Helvetica Neue', system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

export const SIZES = { title: 15, text: 12, small: 11 } as const;
