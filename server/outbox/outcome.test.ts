import { expect, test } from 'vitest'
import type { EmailKind } from '../database/schema.ts'
import type { Email } from './email.ts'
import { filesTrouble, readSendError } from './outcome.ts'

const error = (command: string, response: string) =>
  Object.assign(new Error('refused'), { command, response, responseCode: Number(response.slice(0, 3)) })

const emailOf = (kind: EmailKind, changes: Partial<Email> = {}) =>
  ({ kind, attempts: 1, cause: null, content: null, ...changes }) as const

test('of a host with several addresses, of which none answers, the log says why nothing was sent', () => {
  const none = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  expect(readSendError(none, emailOf('webhook'))).toMatchObject({
    response: 'no connection (ECONNREFUSED)',
    outcome: 'retry',
  })
})

type Row = [command: string, response: string, expected: boolean]

/** Replies from real mail servers, and whether they say that the mailbox doesn't exist. */
const rejections: Row[] = [
  ['DATA', '550 5.4.5 Daily user sending limit exceeded', false],
  ['RCPT TO', '552 5.2.2 Mailbox full', false],
  ['RCPT TO', '554 5.7.1 Relay access denied', false],
  ['RCPT TO', '550 no such user', false],
  ['RCPT TO', '550 5.1.1 relay not permitted', false],
  ['RCPT TO', '550 5.1.1 sender unknown', false],
  ['RCPT TO', '550 5.1.1 not verified', false],
  ['RCPT TO', '550 5.2.1 mailbox disabled', false],
  ['DATA', '550 5.1.1 no such user', false],
  ['MAIL FROM', '550 5.1.1 no such user', false],
  ['RCPT TO', '450 4.1.1 later', false],
  ['RCPT TO', '550 5.1.1 The email account that you tried to reach does not exist', true],
  ['RCPT TO', '550-5.1.1 The email account that you tried to reach\n550 5.1.1 does not exist', true],
  ['RCPT TO', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', true],
  ['RCPT TO', '551 5.1.6 Mailbox has moved', true],
  ['RCPT TO', '553 5.1.3 bad address', true],
  ['RCPT TO', '550 5.1.1 <author@relay.example>: User unknown', true],
  ['RCPT TO', '550 5.1.1 <ada@example.com>: <author@relay.example>: User unknown', true],
]
const toOwner: EmailKind[] = ['owner_notice', 'notice_list', 'morning', 'answer_trouble', 'sign_in']

test.each<[string, string]>([
  ...rejections.map(([command, response]): [string, string] => [command, response]),
  ['AUTH', '535 5.7.8 bad credentials'],
  ['DATA', '554 5.7.1 Content rejected'],
])('if %s gets "%s", we never give up on an email to an owner at once', (command, response) => {
  for (const kind of toOwner)
    for (const cause of [null, 'content'] as const)
      expect(readSendError(error(command, response), emailOf(kind, { attempts: 9, cause })).outcome).toBe(
        'retry',
      )
})

test.each<Row>([
  ['RCPT TO', '550 no such user', true],
  ['RCPT TO', '554 5.7.1 Relay access denied', false],
  ...[503, 530, 534, 535, 538].map((code): Row => ['RCPT TO', `${code} login first`, false]),
  ...['Daily', 'Hourly', 'Rate'].map((what): Row => ['RCPT TO', `550 ${what} limit reached`, false]),
  ['MAIL FROM', '550 sender refused', false],
  ['RCPT TO', '550 Message quota exceeded', false],
  ['DATA', '552 5.7.0 Sending limit reached', false],
  ['DATA', '554 5.7.1 Content rejected', true],
  ['RCPT TO', '552 5.2.2 Mailbox quota exceeded', true],
  ['DATA', '552 5.3.4 Message size exceeds fixed limit', true],
])('if %s gets "%s", we give up on an email to a visitor: %s', (command, response, isFinal) => {
  const failure = readSendError(error(command, response), emailOf('visitor_receipt'))
  expect(failure.outcome !== 'retry').toBe(isFinal)
  // Other emails may be accepted.
  expect(failure.isDown).toBe(command === 'MAIL FROM')
})

test.each<Row>([
  ...rejections.filter(([, response]) => response !== '550 no such user'),
  ['RCPT TO', '550 no such user', true],
  ['RCPT TO', '550-No such user here\n550 good bye', true],
  ['RCPT TO', '550 <verity@limitless.example> no such user', true],
  ['RCPT TO', '550 <ada@example.com>: relay not permitted', false],
  ...['spam', 'block', 'policy', 'denied', 'prohibited'].map(
    (word): Row => ['RCPT TO', `550 ${word}`, false],
  ),
  ['RCPT TO', '550 Message quota exceeded', false],
  ['DATA', '550 no such user', false],
])('if %s gets "%s", an email to a visitor counts as bounced: %s', (command, response, isBounce) => {
  expect(readSendError(error(command, response), emailOf('visitor_receipt')).outcome === 'bounced').toBe(
    isBounce,
  )
})

test.each<[string, string, number, 'content' | 'recipient' | 'server']>([
  ['DATA', '554 5.7.1 Content rejected', 1, 'content'],
  ['DATA', '451 4.7.1 try again later', 2, 'server'],
  ['DATA', '451 4.7.1 try again later', 3, 'content'],
  ['DATA', 'Connection closed', 2, 'server'],
  ['DATA', 'Connection closed', 3, 'content'],
  ['CONN', '421 4.3.2 going down', 3, 'server'],
  ['RCPT TO', '452 4.2.2 mailbox full', 1, 'recipient'],
  ['DATA', '452 4.2.2 mailbox full', 3, 'recipient'],
  ['DATA', '452 4.3.1 insufficient system storage', 1, 'server'],
  ['RCPT TO', '550 no such user', 1, 'recipient'],
  ['RCPT TO', '550 5.7.1 blocked', 1, 'server'],
  ['RCPT TO', '421 busy', 1, 'server'],
  ['RCPT TO', '530 login first', 1, 'server'],
  ['RCPT TO', '550 Daily limit reached', 1, 'server'],
  ['RCPT TO', 'Connection closed', 3, 'server'],
])('if %s gets "%s" at attempt %i, the cause is the %s', (command, response, attempts, cause) => {
  const refused = error(command, response)
  expect(readSendError(refused, emailOf('owner_notice', { attempts, cause: null })).cause).toBe(cause)
  // The next attempt has no text of visitors. If it is refused, too, the text wasn't the reason.
  if (cause === 'content')
    expect(readSendError(refused, emailOf('owner_notice', { attempts, cause })).cause).toBe('server')
  for (const kind of ['sign_in', 'webhook'] as const)
    expect(readSendError(refused, emailOf(kind, { attempts, cause: null })).cause).not.toBe('content')
})

test.each<[string, string, 'recipient' | 'server']>([
  ['RCPT TO', '450 4.7.1 greylisted', 'recipient'],
  ['DATA', '451 4.7.1 try again later', 'recipient'],
  ['RCPT TO', '454 4.7.1 Relay access denied', 'server'],
  ['RCPT TO', '421 4.3.2 going down', 'server'],
  ['MAIL FROM', '451 sender deferred', 'server'],
])('if %s gets "%s" for an answer, the cause is the %s', (command, response, cause) => {
  expect(readSendError(error(command, response), emailOf('answer')).cause).toBe(cause)
})

test('an answer whose words are refused is tried again without them; a lost connection is about the server', () => {
  expect(readSendError(error('DATA', '554 looks like spam'), emailOf('answer'))).toMatchObject({
    cause: 'content',
    outcome: 'retry',
  })
  const lost = Object.assign(new Error('Connection closed'), { command: 'DATA' })
  expect(readSendError(lost, emailOf('answer'))).toMatchObject({ cause: 'server', isDown: true })
  expect(readSendError(error('STARTTLS', '454 no'), emailOf('answer')).response).toMatch(
    /could not be encrypted.*454/,
  )
})

const withFiles = { attempts: 1, cause: null, content: '{"files":[{}]}' }

test.each<[string, string, 'size' | 'kind' | undefined]>([
  ['MAIL FROM', '552 5.3.4 Message size exceeds fixed limit', 'size'],
  ['DATA', '552-5.2.3 Your message exceeded the size limits', 'size'],
  ['DATA', '552 Message exceeds maximum size', 'size'],
  ['DATA', '552 Requested mail action aborted: exceeded storage allocation', 'size'],
  ['DATA', '554 5.6.0 attachment too big', 'size'],
  [
    'DATA',
    '552-5.7.0 This message was blocked because its content presents a potential security issue',
    'kind',
  ],
  ['DATA', '554 5.7.1 executable attachment refused', 'kind'],
  ['DATA', '550 5.7.1 File type .js is not allowed', 'kind'],
  ['RCPT TO', '552 5.2.2 Mailbox full', undefined],
  ['DATA', '552 Mailbox quota exceeded', undefined],
  ['DATA', '552 5.7.0 Sending limit reached', undefined],
  ['DATA', '452 4.3.4 message too large for now', undefined],
  ['DATA', '554 5.7.1 Content rejected', undefined],
  ['DATA', '554 5.7.0 Reject, id=12-01 - BANNED: .exe,setup.exe', 'kind'],
  ['RCPT TO', '554 5.7.1 Your IP is banned: see https://block.example', undefined],
])(
  'an answer with files that gets "%s %s" fails at once because of their %s',
  (command, response, trouble) => {
    const failure = readSendError(error(command, response), emailOf('answer', withFiles))

    expect(filesTrouble(failure)).toBe(trouble)
    if (trouble) expect(failure).toMatchObject({ outcome: 'failed', isDown: false })
    else expect(failure).toEqual(readSendError(error(command, response), emailOf('answer')))
  },
)

test('the status in a bounce can say that the files were too large', () => {
  expect(filesTrouble({ smtpCode: 550, response: 'status 5.3.4' })).toBe('size')
  expect(filesTrouble({ smtpCode: 550, response: 'status 5.2.2' })).toBeUndefined()
})

test('only the beginning of a very long reply is looked at', () => {
  expect(filesTrouble({ smtpCode: 554, response: `554 ${'size '.repeat(200_000)}exceeded` })).toBeUndefined()
})

test('what the mailer says about a server that accepts less is final for files, and nothing else is without a code', () => {
  const outcome = (message: string) =>
    readSendError(Object.assign(new Error(message), { command: 'MAIL FROM' }), emailOf('answer', withFiles))
      .outcome

  expect(outcome('Message size larger than allowed 1000')).toBe('failed')
  expect(outcome('Connection closed')).toBe('retry')
})
