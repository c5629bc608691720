import request from 'supertest'
import { expect, test, vi } from 'vitest'
import { contactPath } from '#shared/contact-request.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const PERIOD_MS = 1000

test('each kind of request that stores nothing is logged at most once per second, with a count', async () => {
  await using site = await buildTestApp()
  const ask = async (count: number) => {
    for (let number = 0; number < count; number++) {
      await request(site.app).options(contactPath)
      await request(site.app).get(`/nothing-${number}`)
      await request(site.app)[number % 2 ? 'put' : 'delete']('/')
    }
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  await ask(8)
  vi.advanceTimersByTime(PERIOD_MS)
  const written = site.logLines.length
  vi.advanceTimersByTime(PERIOD_MS)
  vi.useRealTimers()

  const lines = site.logLines.map((line) => JSON.parse(line))
  expect(lines.map(({ method, status, count }) => [method, status, count])).toEqual([
    ['OPTIONS', 204, undefined],
    ['GET', 404, undefined],
    ['(other)', 405, undefined],
    ['OPTIONS', 204, 7],
    ['GET', 404, 7],
    ['(other)', 405, 7],
  ])
  expect(site.logLines).toHaveLength(written)
})

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
