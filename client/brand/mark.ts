type Color = 'none' | 'text' | 'accent' | 'background'
type Path = { d: string; fill: Color; stroke?: Color; strokeWidth?: number; isString?: boolean }
type Mark = { width: number; height: number; paths: readonly Path[]; aroundIcon?: readonly Path[] }

/**
 * The logo, a plumb line: SVG paths in a box of `width` by `height` units. The page, the icons and
 * the share image draw it in their own colors. `isString`: the upper quarter of the logo, where a
 * longer line that the page draws takes its place.
 */
export const mark: Mark = {
  width: 20,
  height: 36,
  paths: [
    { d: 'M10 0v10', fill: 'none', stroke: 'text', strokeWidth: 1.5, isString: true },
    { d: 'M6.5 9h7v3h3.5v9L10 36 3 21v-9h3.5z', fill: 'accent' },
    { d: 'M3 15.5h14', fill: 'none', stroke: 'background', strokeWidth: 1.25 },
  ],
  /**
   * Drawn only in the icon for phones' home screens, where it extends the string of the plumb line
   * to the upper edge.
   */
  aroundIcon: [{ d: 'M10-10V2', fill: 'none', stroke: 'text', strokeWidth: 1.5 }],
}
