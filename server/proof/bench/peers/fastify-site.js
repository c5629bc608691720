import fastifyStatic from '@fastify/static'
import fastify from 'fastify'
import { openStore } from './store-lead.js'

const text = (maxLength) => ({ type: 'string', maxLength })
const body = {
  type: 'object',
  required: ['firstName', 'lastName', 'email', 'message'],
  additionalProperties: false,
  properties: {
    firstName: { ...text(100), minLength: 1 },
    lastName: { ...text(100), minLength: 1 },
    email: { ...text(254), format: 'email' },
    phone: { ...text(40), default: '' },
    company: { ...text(200), default: '' },
    website: { ...text(2048), default: '' },
    budget: { enum: ['', 'starter', 'professional', 'enterprise', 'custom'], default: '' },
    message: { ...text(5000), minLength: 1 },
  },
}

process.once('message', async ({ dataDir, pages }) => {
  const store = openStore(dataDir)
  const app = fastify({ bodyLimit: 16 * 1024 })
  // With `preCompressed`, Fastify sends the compressed file next to the page, instead of compressing each response.
  await app.register(fastifyStatic, { root: pages, preCompressed: true })
  const response = { 200: { type: 'object', properties: { success: { const: true }, reference: text(40) } } }
  app.post('/functions/v1/send-contact-email', { schema: { body, response } }, async (request) => ({
    success: true,
    reference: store(request.body),
  }))
  process.send({ url: await app.listen({ port: 0, host: '127.0.0.1' }) })
})
