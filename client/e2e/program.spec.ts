import { createClient } from '@supabase/supabase-js'
import { sampleRequest } from '../../server/proof/testing/sample-request.ts'
import { newDataDir, startProgram } from '../../server/proof/testing/start-program.ts'
import { expect, siteTest as test } from './test.ts'

test('a Supabase client works unchanged and sees an error on invalid input', async ({ program }) => {
  const supabase = createClient(program.url, 'any-public-key')

  const stored = await supabase.functions.invoke('send-contact-email', { body: sampleRequest() })
  const refused = await supabase.functions.invoke('send-contact-email', {
    body: sampleRequest({ email: 'nobody' }),
  })

  expect(stored).toMatchObject({
    data: { success: true, reference: expect.stringMatching(/^Q-/) },
    error: null,
  })
  expect(refused.error.context.status).toBe(400)
})

test('a server with invalid settings or a port in use does not start, and says why', async ({ program }) => {
  using dataDir = newDataDir()
  const start = (settings: Record<string, string>) => startProgram({ DATA_DIR: dataDir.path, ...settings })

  await expect(start({ PORT: 'x', SMTP_URL: 'mail' })).rejects.toThrow(
    /^Invalid settings:\n {2}PORT: .*\n {2}SMTP_URL: /,
  )
  await expect(start({ PORT: String(program.port) })).rejects.toThrow(/^The port is already in use/m)
})
