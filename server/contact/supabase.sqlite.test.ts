import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { serve } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()

test('a Supabase client works unchanged and sees an error on invalid input', async () => {
  using server = await serve(site.app)
  const { functions } = createClient(server.url, 'any-public-key')
  const invoke = (body: object) => functions.invoke('send-contact-email', { body })

  const stored = await invoke(sampleRequest())
  const refused = await invoke(sampleRequest({ email: 'nobody' }))

  const data = { success: true, reference: expect.stringMatching(/^Q-/) }
  expect(stored).toMatchObject({ data, error: null })
  expect(refused.error.context.status).toBe(400)
})
