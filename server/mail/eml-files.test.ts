import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { sampleNotice } from '../proof/testing/mail-tools.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { removeEmlFiles } from './eml-files.ts'
import { createFileMailer } from './mailer.ts'

const never = new AbortController().signal

test.each(['<../../evil@x>', '<../evil.0@x>', '</tmp/evil@x>', '<..\\evil@x>', '<.@x>', '<@x>', '<a\0b@x>'])(
  'a Message-ID is never used as a path: %j',
  async (messageId) => {
    using folder = newDataDir()
    const mailDir = join(folder.path, 'a', 'mail')
    const mailer = createFileMailer(mailDir, async () => false)

    await mailer.send({ ...sampleNotice(), messageId }, never)
    await mailer.send({ ...sampleNotice(), messageId }, never)

    const files = readdirSync(folder.path, { recursive: true }).map(String)
    expect(files.filter((name) => !['a', 'a/mail'].includes(name))).toEqual([
      expect.stringMatching(/^a\/mail\/[\w.-]*\.eml$/),
    ])
    expect(removeEmlFiles(mailDir)).toBe(1)
  },
)

test('no files are written once another replica has a mail server', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'website-')), 'mail')

  const sending = createFileMailer(folder, async () => true).send(sampleNotice(), never)

  await expect(sending).rejects.toThrow('SMTP_URL is not set here')
  expect(readdirSync(folder)).toEqual([])
})

test('an email that is sent twice is written to the same .eml file', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'website-')), 'mail')
  const mailer = createFileMailer(folder, async () => false)
  await mailer.send(sampleNotice(), never)
  await mailer.send(sampleNotice(), never)

  const files = readdirSync(folder)
  expect(files).toEqual(['1.0.eml'])
  const parsed = await PostalMime.parse(readFileSync(join(folder, '1.0.eml')))
  expect(parsed.to?.map((address) => address.address)).toEqual(['owner@agency.example'])
})
