/** Pass this to `test.use` to turn on animations, which are off in most tests. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const
