/** SVG paths of the plumb bob, in a box of 20 by 36 units. */
export const bobShape = {
  string: 'M10 0v10',
  body: 'M6.5 9h7v3h3.5v9L10 36 3 21v-9h3.5z',
  ring: 'M3 15.5h14',
} as const
