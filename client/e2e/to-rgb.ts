/** '#c2410c' -> 'rgb(194, 65, 12)', as computed styles have it. */
export const toRgb = (color: string): string =>
  `rgb(${[1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)).join(', ')})`
