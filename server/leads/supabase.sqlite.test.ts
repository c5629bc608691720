import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()

test('a Supabase client works unchanged and sees an error on invalid input', async () => {
  const server = createServer(site.app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { functions } = createClient(`http://127.0.0.1:${port}`, 'any-public-key')
  const invoke = (body: object) => functions.invoke('send-contact-email', { body })

  const stored = await invoke(sampleRequest())
  const refused = await invoke(sampleRequest({ email: 'nobody' }))
  server.close()

  const data = { success: true, reference: expect.stringMatching(/^Q-/) }
  expect(stored).toMatchObject({ data, error: null })
  expect(refused.error.context.status).toBe(400)
})
