/** The headers of a reply that belongs to a lead, and the message with what is hostile about it. */
type Write = (headers: string) => string

const levels = 30
const nested = Array.from({ length: levels }, (_, level) => level)
  .map((level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`)
  .join('')

/** Messages that took the serving thread long before they were read in a thread of their own. */
const kinds: Write[] = [
  // Encoded words, as a subject.
  (headers) => `${headers}Subject:${' =?utf-8?Q?=C3=A4?=\r\n'.repeat(3_200)}\r\nHello\r\n`,
  // Levels, and recipients.
  (headers) => `${headers}Cc: ${'a@b.example,\r\n '.repeat(2_000)}x@y.example\r\n${nested}\r\nHello\r\n`,
  // As much text as is kept.
  (headers) => `${headers}\r\n${'Gr\u00fc\u00dfe, when can you start? '.repeat(1_000)}\r\n`,
  // Parts.
  (headers) =>
    `${headers}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(11_000)}`,
]

/** Writes hostile replies, one kind after the other, to the email with this Message-ID. */
export function writeHostile(from: string, answers: string) {
  let count = 0
  return (): string => {
    const id = `<hostile-${++count}@example.com>`
    const headers = `From: ${from}\r\nMessage-ID: ${id}\r\nIn-Reply-To: ${answers}\r\n`
    return kinds[count % kinds.length]?.(headers) ?? ''
  }
}
