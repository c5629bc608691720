import type { ReactNode } from 'react'

/**
 * Text with an email address, which breaks only after its @ and dots if it is wider than the line.
 */
export const breakable = (text: string) => (
  // The links are flex containers, in which the parts would become boxes of their own.
  <span>
    {text.match(/[^@.]+[@.]?/g)?.reduce<ReactNode>(
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
