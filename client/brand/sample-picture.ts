/**
 * What working-drawing.tsx needs to draw the first screen of the sample site: the paths of its logo
 * and of the picture behind its headline, from back to front, and the sample site's own colors,
 * which are the same in both themes.
 */
export const samplePicture = {
  logo: 'M23 43l7-8 4 4 3.5-3.5 6 7.5h-3l-3-4-3.5 3.5-4-4-4 4.5z',
  scene: [
    { fill: '#3d5040', d: 'M18 49h125v157H18z' },
    { fill: '#4b5e4b', d: 'M18 152l30-11 21-11 36 9 38 8v59H18z' },
    { fill: '#35483c', d: 'M18 172l44-12 50 8 31-12v50H18z' },
    { fill: '#2b3d35', d: 'M143 112L68 206h75z' },
  ],
  /** Drawn as lines. */
  shingles: {
    stroke: '#0f1714',
    d: 'M79 192H143M90 178H143M102 164H143M113 150H143M124 136H143M137 192l-6 14M113 192l-6 14M89 192l-6 14M125 178l-6 14M101 178l-6 14M137 164l-6 14M113 164l-6 14M125 150l-6 14M137 136l-6 14',
  },
  colors: { bar: '#f4c531', onBar: '#1d2a24', onScene: '#ffffff', action: '#f4c531', onAction: '#1d2a24' },
} as const
