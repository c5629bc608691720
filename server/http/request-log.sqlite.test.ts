import request from 'supertest'
import { expect, test, vi } from 'vitest'
import { contactPath } from '#shared/contact-request.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const PERIOD_MS = 1000

test('failures of the same kind are logged at most once per second, with a count', async () => {
  await using site = await buildTestApp()
  const fail = () => request(site.app).post(contactPath).send(sampleRequest()).expect(500)
  await site.db.schema.alterTable('leads').renameTo('gone').execute()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  for (let count = 0; count < 20; count++) await fail()
  vi.advanceTimersByTime(PERIOD_MS)
  vi.useRealTimers()

  const failures = site.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed')
  expect(failures).toMatchObject([{ err: { code: 'SQLITE_ERROR' } }, { count: 19 }])
})
