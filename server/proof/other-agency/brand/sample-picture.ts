/** The sample shop's logo, the picture behind its headline, and its colors. */
export const samplePicture = {
  logo: 'M24 43h18l-3-8H27z',
  scene: [
    { fill: '#3b2a3f', d: 'M18 49h125v157H18z' },
    { fill: '#6b4a52', d: 'M18 178l40-10 50 8 35-6v36H18z' },
    { fill: '#2a1d2d', d: 'M143 160H90v46h53z' },
  ],
  shingles: { stroke: '#8a6a72', d: 'M96 166h40M96 176h40M96 186h40M96 196h40' },
  colors: { bar: '#fbeee0', onBar: '#3b2a3f', onScene: '#ffffff', action: '#fbeee0', onAction: '#3b2a3f' },
} as const
