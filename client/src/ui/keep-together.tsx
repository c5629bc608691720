import type { ReactNode } from 'react'

/**
 * Keeps text such as "1-2", "5-page" or "8am-6pm EST" on one line: otherwise, browsers may break it
 * after the hyphen.
 */
export const keepTogether = (text: string): ReactNode[] =>
  text.split(/(\w+-\w+(?: [A-Z]{2,})?)/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="whole">
        {part}
      </span>
    ) : (
      part
    ),
  )
