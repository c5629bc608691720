import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { freePort } from '../proof/testing/free-port.ts'
import { webhookSecret } from '../proof/testing/receiver.ts'
import { waitUntil } from '../proof/testing/wait-until.ts'
import { postEvent } from './post-lead.ts'

const document = readFileSync('server/webhook.md', 'utf8')
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([^\`]*(?:\`(?!\`\`)[^\`]*)*)\`\`\``).exec(document)?.[1] ?? ''
const sample = JSON.parse(block('json'))
const [, fileName = ''] = /save it as `([\w.]+)`/.exec(document) ?? []

test('the receiver in webhook.md rejects wrong signatures and old requests; it ignores repeated leads, and suspected spam until it is marked as not spam', async () => {
  await using receiver = await startReceiver(block('js'))
  const post = (body: object, id = 'lead_1', at = new Date(), secret = webhookSecret) =>
    postEvent(
      { url: receiver.url, secret },
      { id, body: JSON.stringify(body), at },
      new AbortController().signal,
    ).catch((error: Error) => error.message)
  const suspect = { ...sample, data: { ...sample.data, spam: { isSuspect: true, score: 12, reasons: [] } } }
  const otherSecret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

  expect(await post(sample, 'lead_0', new Date(), otherSecret)).toBe('401 Unauthorized')
  expect(await post(sample, 'lead_0', new Date(Date.now() - 400_000))).toBe('401 Unauthorized')
  expect(await post(suspect, 'lead_2')).toBe('204 No Content')
  expect(await post({ type: 'webhook.test', version: 1, data: {} }, 'test_1')).toBe('204 No Content')
  for (let attempt = 0; attempt < 2; attempt++) expect(await post(sample)).toBe('204 No Content')
  expect(await post(sample, 'lead_2')).toBe('204 No Content')

  expect(await receiver.stop()).toBe('Q-7K3M-9QXD: Ada Lovelace <ada@example.com>\n'.repeat(2))
})

async function startReceiver(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'website-'))
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  // `npm init` sets this module type. The receiver, an ES module, must run in such a folder, too.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  writeFileSync(join(folder, fileName), code)
  const port = await freePort()
  const env = { PORT: String(port), LEAD_WEBHOOK_SECRET: webhookSecret }
  const child = spawn(process.execPath, [join(folder, fileName)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = text(child.stdout)
  const url = `http://127.0.0.1:${port}/`
  await waitUntil('the receiver listens', () => fetch(url).then(Boolean, () => false))
  return {
    url,
    /** Returns everything that the receiver has printed. */
    stop() {
      child.kill()
      return output
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      rmSync(folder, { recursive: true })
    },
  }
}
