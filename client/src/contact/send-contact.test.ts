import { beforeEach, expect, test, vi } from 'vitest'
import type { ContactRequest } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/lead-source.ts'
import { parseRetryAfterMs, retryDelayMs } from './retry-delay.ts'
import { sendContact } from './send-contact.ts'

const request: ContactRequest = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  message: 'Please call me back.',
  phone: '',
  company: '',
  website: '',
  budget: '',
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: {
        'Content-Type': status === 200 ? 'application/json' : 'application/problem+json',
        ...headers,
      },
    })

const accepted = json(200, { success: true, reference: 'Q-7K3M-9QXD' })

const unavailable = json(503, { detail: 'We could not store your request.' })

const errors = [{ field: 'email', message: 'Please check the address.' }]

const offline = () => {
  throw new TypeError('Failed to fetch')
}

/** Responds only after the page has given up waiting. */
const silent = ({ signal }: RequestInit) =>
  new Promise<Response>((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.spyOn(Math, 'random').mockReturnValue(1)
  return () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  }
})

type Respond = (init: RequestInit) => Response | Promise<Response>

/** The server gives these responses in order and repeats the last. */
function setUp(...responses: Respond[]) {
  const sent: RequestInit[] = []
  const sentAt: number[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(init)
    sentAt.push(Date.now())
    return (responses[sent.length - 1] ?? (responses.at(-1) as Respond))(init)
  })
  /** Sends a request, and lets the time pass until its outcome is known. */
  const send = async (...[values, source]: [values?: ContactRequest, source?: LeadSource]) => {
    const sending = sendContact(values ?? request, 'key-1', source).then((outcome) => {
      const endedAt = Date.now()
      return { ...outcome, endedAt }
    })
    await vi.runAllTimersAsync()
    return sending
  }
  return { sent, sentAt, send }
}

test.each<[string, () => Response, object]>([
  ['an accepted request', accepted, { isSent: true, reference: 'Q-7K3M-9QXD' }],
  ['a response without a body', () => new Response(''), { isSent: false, detail: undefined }],
  ['JSON that is not ours', json(200, { login: 'required' }), { isSent: false, detail: undefined }],
  [
    'HTML, such as from a captive portal',
    () => new Response('<p>Log in</p>', { headers: { 'Content-Type': 'text/html' } }),
    { isSent: false },
  ],
  ['a bad request', json(400, { detail: 'No.', errors }), { isSent: false, detail: 'No.', errors }],
  ['text', () => new Response('Oh', { status: 500 }), { isSent: false, detail: undefined, errors: [] }],
  ...[400, 403, 413, 422, 429, 500].map((status): [string, () => Response, object] => [
    `a ${status}`,
    json(status, { detail: 'No.' }),
    { isSent: false, detail: 'No.', isConflict: status === 422 },
  ]),
])('after %s, there is no retry', async (_what, response, outcome) => {
  const { send, sent } = setUp(response)

  expect(await send()).toMatchObject(outcome)
  expect(sent).toHaveLength(1)
})

test('the outcome contains the time of receipt, unless the server had already received an earlier attempt', async () => {
  const date = 'Mon, 02 Mar 2026 15:00:00 GMT'
  const respond = (headers: Record<string, string>) =>
    setUp(json(200, { success: true, reference: 'Q-7K3M-9QXD' }, headers)).send()

  const received = { receivedAt: new Date('2026-03-02T15:00Z') }
  expect(await respond({ Date: date })).toMatchObject(received)
  expect(await respond({ Date: date, 'Idempotency-Replayed': 'true' })).toMatchObject({
    receivedAt: undefined,
  })
})

test.each([
  ['a network error', offline],
  ['a 502 response', json(502, {})],
  ['a 503 response', unavailable],
  ['a 504 response', json(504, {})],
])('after %s, the same request is sent again', async (_name, failure) => {
  const { send, sent } = setUp(failure, failure, accepted)

  expect(await send()).toMatchObject({ isSent: true })

  const attempts = sent.map(({ headers, body }) => [new Headers(headers).get('Idempotency-Key'), body])
  expect(attempts).toEqual(Array(3).fill(['key-1', JSON.stringify(request)]))
})

test('after three retries, sending fails with the message from the server', async () => {
  const { send, sent } = setUp(unavailable)

  const outcome = await send()

  expect(outcome).toMatchObject({ isSent: false, detail: 'We could not store your request.', errors: [] })
  expect(sent).toHaveLength(4)
})

test.each([
  [{ 'Retry-After': '480' }, 480_000],
  [{ 'Retry-After': 'Thu, 01 Jan 1970 00:20:00 GMT' }, 1_200_000],
  [{}, 60_000],
])(
  'if the server has received too many requests (%o), the outcome says when to send again',
  async (headers, ms) => {
    const { send } = setUp(json(429, { detail: 'Too many.' }, headers))

    expect(await send()).toMatchObject({ isSent: false, detail: 'Too many.', retryAt: new Date(ms) })
  },
)

test('a retry waits as long as the server asks', async () => {
  const { send, sentAt } = setUp(json(503, {}, { 'Retry-After': '6' }), accepted)

  await send()

  expect(sentAt).toEqual([0, 6000])
})

test('each attempt times out after ten seconds, and all attempts together after thirty', async () => {
  const { send, sentAt } = setUp(silent)

  const { isSent, endedAt } = await send()

  expect(sentAt).toEqual([0, 10_500, 21_500])
  expect({ isSent, endedAt }).toEqual({ isSent: false, endedAt: 30_000 })
})

test('a device that sleeps while it sends does not use up the time for another attempt', async () => {
  const asleep = (init: RequestInit) => {
    vi.setSystemTime(Date.now() + 3_600_000)
    return silent(init)
  }
  const { send, sent } = setUp(asleep, accepted)

  expect(await send()).toMatchObject({ isSent: true })
  expect(sent).toHaveLength(2)
})

test('the source is sent with the request, unless it makes the request too large for the server', async () => {
  const source = { landing: '/', parameters: { utm_source: '漢'.repeat(200) } }
  const { send, sent } = setUp(accepted)
  const longest = { ...request, message: '漢'.repeat(5000), company: '漢'.repeat(200) }

  await send(request, source)
  await send(longest, source)

  expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual([{ ...request, source }, longest])
})

test.each([
  ['doubles with each failed attempt', [0, 1], 500],
  ['doubles with each failed attempt', [3, 1], 4000],
  ['is reduced by up to half, so that visitors do not all retry at the same time', [2, 0], 1000],
  ['is never longer than 30 seconds', [40, 1], 30_000],
  ['is never longer than 30 seconds', [0, 1, 3_600_000], 30_000],
  ['can be longer if the server asks for it', [0, 1, 7000], 7000],
  ['is never shorter because the server asks for it', [3, 1, 1000], 4000],
] as [string, Parameters<typeof retryDelayMs>, number][])('the delay %s: %j', (_what, given, delay) => {
  expect(retryDelayMs(...given)).toBe(delay)
})

const now = 'Fri, 01 May 2026 10:00:00 GMT'

test.each<[string | null, number]>([
  ['12', 12_000],
  ['Fri, 01 May 2026 10:00:05 GMT', 5000],
  ['Fri, 01 May 2026 09:00:00 GMT', 0],
  ...[null, '', 'soon', '-3'].map((header) => [header, 0] as [string | null, number]),
])('a Retry-After of %j means %i ms', (header, ms) => {
  expect(parseRetryAfterMs(header, Date.parse(now))).toBe(ms)
})
