/** SVG paths for drawn-phone.tsx: the sample site's logo, and the picture behind its headline. */
export const samplePicture = {
  logo: 'M23 43l7-8 4 4 3.5-3.5 6 7.5h-3l-3-4-3.5 3.5-4-4-4 4.5z',
  hills: 'M18 178l22-18 14 8 30-34 22 20 28-38 9 9',
  roof: 'M143 146L80 206h63z',
  shingles:
    'M131 157.500h12M119 169h24M106.500 181h36.500M94 193h49M137 157.500v11.500M126 169l-2 12M138 169v12M114 181l-3 12M129 181v12M102 193l-4 13M117 193l-2 13M133 193v13',
} as const
