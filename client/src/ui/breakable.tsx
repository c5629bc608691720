import type { ReactNode } from 'react'

/** The parts of a text between which it may break: after each `@` and dot, or several of them. */
export const breakableParts = (text: string): string[] => text.match(/[^@.]+[@.]*|[@.]+/g) ?? []

/**
 * Text with an email address, which breaks only after its @ and dots if it is wider than the line.
 */
export const breakable = (text: string) => (
  // The links are flex containers, in which the parts would become boxes of their own.
  <span>
    {breakableParts(text).reduce<ReactNode>(
      (before, part) => (
        <>
          {before}
          {part}
          <wbr />
        </>
      ),
      null,
    )}
  </span>
)
