import { afterEach, expect, test, vi } from 'vitest'
import { choosePasskey } from './sign-in.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['NotAllowedError', 'No passkey was used.'],
  ['AbortError', 'No passkey was used.'],
  ['DataError', 'raw'],
])('after a passkey prompt ends with %s, the page says "%s"', async (name, words) => {
  vi.stubGlobal('fetch', async () => new Response('{"challenge":"","allowCredentials":[]}'))
  vi.stubGlobal('PublicKeyCredential', () => {})
  const get = () => Promise.reject(new DOMException('raw', name))
  vi.stubGlobal('navigator', { credentials: { get } })

  await expect(choosePasskey()).rejects.toThrow(words)
})
