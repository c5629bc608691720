import { serve } from '../../testing/contact.ts'

/** A plain node:http server that answers every request with the same bytes. */
process.once('message', async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const bytes = Buffer.from(body, 'base64')
  const { url } = await serve((_request, response) => response.writeHead(200, headers).end(bytes))
  process.send?.({ url })
})
