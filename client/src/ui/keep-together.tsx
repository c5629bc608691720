import type { ReactNode } from 'react'

/**
 * Keeps a figure such as "1-2" or "5-page" on one line: otherwise, browsers may break it after the
 * hyphen.
 */
export const keepTogether = (text: string): ReactNode[] =>
  text.split(/(\d+-\w+)/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="whole">
        {part}
      </span>
    ) : (
      part
    ),
  )
