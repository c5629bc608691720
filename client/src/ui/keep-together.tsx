import type { ReactNode } from 'react'

/** Keeps text such as "1-2", "5-page", "8am-6pm EST" or "6pm EST" on one line. */
export const keepTogether = (text: string): ReactNode[] =>
  text.split(/(\w+-\w+(?: [A-Z]{2,})?|\d[\d:]*[ap]m [A-Z]{2,})/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="whole">
        {part}
      </span>
    ) : (
      part
    ),
  )
