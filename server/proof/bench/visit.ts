import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { contactPath } from '#shared/contact-request.ts'
import { samplePost } from './sample-post.ts'

export const visit = {
  get: (url: string) => ask(url, { headers: { 'accept-encoding': 'br, gzip' } }),
  post(url: string) {
    const { body, headers } = samplePost()
    return ask(url + contactPath, { method: 'POST', headers }, body)
  },
}

/** Returns the milliseconds that one request on a new connection takes. Throws if the response isn't a 200. */
async function ask(url: string, options: RequestOptions, body?: string): Promise<number> {
  const startedAt = performance.now()
  const sent = request(url, { ...options, agent: false }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await buffer(response)
  const took = performance.now() - startedAt
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return took
}

/** Repeats a visit for this many milliseconds. Returns how long each visit took. */
export async function repeat(visit: () => Promise<number>, milliseconds: number): Promise<number[]> {
  const until = performance.now() + milliseconds
  const times: number[] = []
  while (performance.now() < until) times.push(await visit())
  return times
}
