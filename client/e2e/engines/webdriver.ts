/**
 * The key under which WebDriver passes an element as JSON
 * (https://www.w3.org/TR/webdriver2/#elements).
 */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

export type ElementReference = { [ELEMENT_KEY]: string }
export type Session = Awaited<ReturnType<typeof newSession>>

async function send(method: 'GET' | 'POST' | 'DELETE', url: string, body: object = {}) {
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: unknown }
  if (!response.ok) {
    const { error, message } = value as { error: string; message: string }
    throw new Error(`${error}: ${message}`)
  }
  return value
}

/** A WebDriver session with the few commands that the steps need. */
export async function newSession(driverUrl: string, capabilities: object) {
  const created = await send('POST', `${driverUrl}/session`, { capabilities: { alwaysMatch: capabilities } })
  const { sessionId } = created as { sessionId: string }
  const url = `${driverUrl}/session/${sessionId}`
  const post = (path: string, body?: object) => send('POST', url + path, body)
  return {
    open: (address: string) => post('/url', { url: address }),
    resize: (width: number, height: number) => post('/window/rect', { x: 0, y: 0, width, height }),
    run: <Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args) =>
      post('/execute/sync', { script: `return (${inPage})(...arguments)`, args }) as Promise<Result>,
    click: (element: ElementReference) => post(`/element/${element[ELEMENT_KEY]}/click`),
    clear: (element: ElementReference) => post(`/element/${element[ELEMENT_KEY]}/clear`),
    type: (element: ElementReference, text: string) =>
      post(`/element/${element[ELEMENT_KEY]}/value`, { text }),
    picture: async () => Buffer.from((await send('GET', `${url}/screenshot`)) as string, 'base64'),
    windows: async () => (await send('GET', `${url}/window/handles`)) as string[],
    switchTo: (handle: string) => post('/window', { handle }),
    close: () => send('DELETE', url),
  }
}
