import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { sampleNotice } from '../proof/testing/sample-notice.ts'
import { createFileMailer } from './mailer.ts'

const never = new AbortController().signal

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
