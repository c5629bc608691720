import { serve } from './serve.ts'

/** Just node:http: every request gets the same bytes. */
process.once('message', ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const bytes = Buffer.from(body, 'base64')
  serve((_request, response) => response.writeHead(200, headers).end(bytes))
})
