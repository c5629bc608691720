import * as base64 from 'nodemailer/lib/base64'
import type MimeNode from 'nodemailer/lib/mime-node'
import * as quotedPrintable from 'nodemailer/lib/qp'

/**
 * Returns the bytes of a message that has only text parts; throws if it has others. nodemailer's `build` does the same, but
 * through six streams, which took more than a third of the CPU time of a delivery.
 */
export const messageBytes = (message: MimeNode): Buffer => Buffer.from(serialize(message))

function serialize(node: MimeNode): string {
  // Building the headers also sets `multipart` and `boundary`.
  const headers = `${node.buildHeaders()}\r\n\r\n`
  if (!node.multipart) return headers + encode(node)
  const separator = `--${node.boundary}`
  const parts = node.childNodes.map((child) => `${separator}\r\n${serialize(child)}\r\n`)
  return `${headers}${parts.join('')}${separator}--\r\n`
}

function encode(node: MimeNode): string {
  const text = node.content
  if (typeof text !== 'string') throw new TypeError('This message has a part that is not text.')
  switch (node.getTransferEncoding()) {
    case 'quoted-printable':
      return quotedPrintable.wrap(quotedPrintable.encode(text))
    case 'base64':
      return base64.wrap(base64.encode(text))
    default:
      return text
  }
}
