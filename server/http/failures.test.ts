import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { pino } from 'pino'
import request from 'supertest'
import { expect, test, vi } from 'vitest'
import { contactFields } from '#shared/contact-request.ts'
import { StorageUnavailable } from '../database/storage-error.ts'
import { Problem } from '../errors/problem.ts'
import { errorHandler } from './error-handler.ts'
import { floodLimit } from './flood-limit.ts'
import { createLogLimiter, requestLog } from './request-log.ts'

/** An app whose only page fails with this error. */
function failing(error: Error) {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) })
  const app = express()
  app.use(requestLog(log, ['/']))
  app.all('/', () => {
    throw error
  })
  app.use(errorHandler(log, 'h1 { color: red }'))
  return { app, logged: () => lines.map((line) => JSON.parse(line)) }
}

const refused = new StorageUnavailable({ code: 'ECONNREFUSED', message: 'refused' })
const noAddress = new StorageUnavailable({ code: 'ECONNREFUSED', message: '' })

test.each<[Error, status: number, logged: object[]]>([
  [refused, 503, [{ msg: 'database not available', code: 'ECONNREFUSED', reason: 'refused' }]],
  [noAddress, 503, [{ msg: 'database not available', reason: 'no connection (ECONNREFUSED)' }]],
  [new Error('hunter2'), 500, [{ msg: 'request failed', err: { message: 'hunter2' } }]],
  [Object.assign(new Error('cannot decode'), { status: 400 }), 400, []],
  [new Problem('not_found', 'There is nothing.'), 404, []],
])('%s is a %i, and the operator can read why, but nobody else', async (error, status, failures) => {
  const { app, logged } = failing(error)

  await request(app).get('/')
  const response = await request(app).get('/?name=Ada')
  await request(app).get('/Ada')

  expect([response.status, response.headers['cache-control']]).toEqual([status, 'no-store'])
  expect(response.text).not.toContain('hunter2')
  await vi.waitFor(() =>
    expect(logged()).toMatchObject([...failures, { method: 'GET', path: '/', status }, { path: '(other)' }]),
  )
  expect(JSON.stringify(logged())).not.toContain('Ada')
})

test.each([
  ['that fails', 'info', { headersSent: true, statusCode: 503, writableFinished: true }, { status: 503 }],
  ['that succeeds', 'debug', { headersSent: true, statusCode: 200, writableFinished: true }, { status: 200 }],
  ['whose client hung up', 'debug', { statusCode: 200 }, { aborted: true }],
] as const)('a health check %s is logged at the level "%s"', (_which, level, state, facts) => {
  const log = { info: vi.fn(), debug: vi.fn() }
  const response = Object.assign(new EventEmitter(), { locals: {}, ...state })
  const asked = { method: 'GET', path: '/healthz' }

  requestLog(log as never, ['/healthz'])(asked as never, response as never, () => {})
  response.emit('close')

  expect(log[level].mock.calls).toEqual([[{ ...asked, ...facts, ms: expect.any(Number) }, 'request']])
})

const broken = new Error('ECONNRESET')
test.each([
  ['whose client hung up', { destroyed: true, complete: false }, { headersSent: true, destroy: vi.fn() }, 0],
  ['whose connection broke', { errored: broken }, { headersSent: true, destroy: vi.fn() }, 0],
  ['whose response has begun', {}, { headersSent: true, destroy: vi.fn() }, 1],
])('of a failed request %s, nothing more is sent', (_which, request, response, logged) => {
  const log = { error: vi.fn() }

  errorHandler(log as never, '')(broken, request as never, response as never, () => {})

  expect([log.error, response.destroy].map(({ mock }) => mock.calls.length)).toEqual([logged, logged])
})

test('a form that is sent without JavaScript is refused with a page for every device and screen reader', async () => {
  const error = new Problem('invalid_input', 'Wrong.', {
    errors: [{ field: 'email', message: 'Missing <a>.' }],
  })

  const { text } = await request(failing(error).app).post('/').type('form').send('a=b')

  for (const part of [
    '<html lang="en-US">',
    'name="viewport" content="width=device-width',
    '<p role="alert">Wrong.</p>',
    `<strong>${contactFields.email.label}</strong>: Missing &#60;a&#62;.`,
    '<style>h1 { color: red }</style>',
  ])
    expect(text).toContain(part)
})

test('failures of the same kind are logged at most once per second, with a count, also a second time', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const limit = createLogLimiter()
  const lines: object[] = []

  for (const times of [20, 1, 2]) {
    for (let count = 0; count < times; count++) limit('a', (line) => lines.push(line))
    vi.advanceTimersByTime(1000)
  }
  vi.useRealTimers()

  expect(lines).toEqual([{}, { count: 19 }, {}, {}, { count: 1 }])
})

test('what the server itself fails to do does not count toward the flood limit, what a visitor does wrong does', async () => {
  const app = express()
  app.use(floodLimit({ limit: 1, windowSeconds: 60, clientOf: () => 'a' }))
  app.get('/:status', ({ params }, response) => void response.status(Number(params.status)).end())
  const statuses: number[] = []
  for (const status of [500, 503, 500, 400, 400]) {
    statuses.push((await request(app).get(`/${status}`)).status)
    // The response ends before it is uncounted.
    await sleep(1)
  }

  expect(statuses).toEqual([500, 503, 500, 400, 500])
})
