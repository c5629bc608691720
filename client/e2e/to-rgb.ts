/** '#c2410c' -> 'rgb(194, 65, 12)', the format of colors in computed styles. */
export const toRgb = (color: string): string =>
  `rgb(${[1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)).join(', ')})`
