import { mark } from '#brand/mark.ts'

export type MarkColors = { text: string; accent: string; background: string }

/** The logo's paths as SVG, for places that React doesn't render. */
export function drawMark(colors: MarkColors, paths = mark.paths): string[] {
  const inColor = { none: 'none', ...colors }
  return paths.map(({ d, fill, stroke, strokeWidth }) => {
    const line = stroke ? ` stroke="${inColor[stroke]}" stroke-width="${strokeWidth}"` : ''
    return `<path d="${d}" fill="${inColor[fill]}"${line}/>`
  })
}
