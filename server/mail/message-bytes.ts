import * as base64 from 'nodemailer/lib/base64'
import type MimeNode from 'nodemailer/lib/mime-node'
import * as quotedPrintable from 'nodemailer/lib/qp'

/**
 * Returns the bytes of a message whose parts are all text, encoded. nodemailer's `build` does the same, but through a dozen
 * streams, which took more than a third of the CPU time of a delivery.
 */
export const messageBytes = (message: MimeNode): Buffer => Buffer.from(serialize(message))

function serialize(node: MimeNode): string {
  // Building the headers also sets `multipart`.
  const headers = `${node.buildHeaders()}\r\n\r\n`
  if (!node.multipart) return headers + encode(node)
  const separator = `--${node.boundary}`
  const parts = node.childNodes.map((child) => `${separator}\r\n${serialize(child)}\r\n`)
  return `${headers}${parts.join('')}${separator}--\r\n`
}

function encode(node: MimeNode): string {
  const text = String(node.content)
  switch (node.getTransferEncoding()) {
    case 'quoted-printable':
      return quotedPrintable.wrap(quotedPrintable.encode(text))
    case 'base64':
      return base64.wrap(base64.encode(text))
    default:
      return text
  }
}
