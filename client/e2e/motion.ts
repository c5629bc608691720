/** For `test.use`: pages move, as for most visitors. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const
