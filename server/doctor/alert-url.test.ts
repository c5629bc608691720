import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { expect, test } from 'vitest'
import { checkAlertUrl, sendTestAlert } from './alert-url.ts'

const siteUrl = 'https://agency.co'

async function openHook(status = 200) {
  const posts: { event: string; text: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    posts.push(JSON.parse(body))
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/secret`, posts, [Symbol.dispose]: () => server.close() }
}

test('the check connects to the webhook but sends no request', async () => {
  using hook = await openHook()

  expect(await checkAlertUrl(hook.url)).toMatchObject({
    state: 'ok',
    seen: expect.stringContaining(`${hook.host} can be reached`),
  })
  expect(hook.posts).toEqual([])
})

test('a test alert says that it is a test', async () => {
  using hook = await openHook()

  expect(await sendTestAlert(hook.url, siteUrl, new Date())).toMatchObject({ state: 'ok' })
  expect(hook.posts).toMatchObject([
    { event: 'test', text: expect.stringContaining('https://agency.co: This is a test') },
  ])
})

test('a webhook that refuses the alert is a problem, and its secret URL is not shown', async () => {
  using hook = await openHook(404)

  const finding = await sendTestAlert(hook.url, siteUrl, new Date())

  expect(finding).toMatchObject({ state: 'problem', seen: expect.stringContaining('404 Not Found') })
  expect(JSON.stringify(finding)).not.toContain('secret')
})

test('a webhook that cannot be reached is a problem', async () => {
  const gone = await openHook()
  gone[Symbol.dispose]()

  for (const finding of [await checkAlertUrl(gone.url), await sendTestAlert(gone.url, siteUrl, new Date())])
    expect(finding).toMatchObject({ state: 'problem', seen: expect.stringContaining('ECONNREFUSED') })
})

test('an https:// webhook without TLS is a problem', async () => {
  const plain = createTcpServer((socket) => socket.on('error', () => {}).end('hello')).listen(0, '127.0.0.1')
  await once(plain, 'listening')

  const finding = await checkAlertUrl(`https://127.0.0.1:${(plain.address() as AddressInfo).port}/`)

  plain.close()
  expect(finding).toMatchObject({ state: 'problem' })
})

test('without ALERT_URL, the finding is ok and says that it is not set', async () => {
  expect(await checkAlertUrl(undefined)).toMatchObject({
    state: 'ok',
    seen: expect.stringContaining('ALERT_URL is not set'),
  })
})
