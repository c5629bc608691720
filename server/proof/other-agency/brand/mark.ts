type Color = 'none' | 'text' | 'accent' | 'background'
type Path = { d: string; fill: Color; stroke?: Color; strokeWidth?: number }

/** A hill with a sun behind it. */
export const mark: { width: number; height: number; paths: readonly Path[] } = {
  width: 20,
  height: 36,
  paths: [
    { d: 'M10 2v6', fill: 'none', stroke: 'text', strokeWidth: 1.5 },
    { d: 'M4 18a6 6 0 0 1 12 0z', fill: 'accent' },
    { d: 'M0 36L10 18l10 18z', fill: 'accent' },
  ],
}
