/**
 * What drawn-phone.tsx needs to draw the first screen of the sample site: the paths of its logo and of the picture behind its
 * headline, from back to front, and the sample site's own colors, which are the same in both themes.
 */
export const samplePicture = {
  logo: 'M23 43l7-8 4 4 3.5-3.5 6 7.5h-3l-3-4-3.5 3.5-4-4-4 4.5z',
  scene: [
    { fill: '#3d5040', d: 'M18 49h125v157H18z' },
    { fill: '#4b5e4b', d: 'M18 152l30-11 21-11 36 9 38 8v59H18z' },
    { fill: '#35483c', d: 'M18 172l44-12 50 8 31-12v50H18z' },
    { fill: '#22322b', d: 'M143 149L76 206h67z' },
    { fill: '#f4c531', d: 'M143 145l-10 8.500v4l10-8.500z' },
    { fill: '#7a3b2a', d: 'M118 150h11v12l-11 9z' },
  ],
  /** Drawn as lines. */
  shingles: {
    stroke: '#101915',
    d: 'M131 160h12M119 170h24M107 180h36M95 190h48M84 200h59M136 160v10M126 170v10M115 180v10M129 180v10M103 190v10M118 190v10M134 190v10M92 200v6M108 200v6M126 200v6',
  },
  colors: { bar: '#f4c531', onBar: '#1d2a24', onScene: '#ffffff', action: '#f4c531', onAction: '#1d2a24' },
} as const
