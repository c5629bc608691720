import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { askTime, checkTime } from './time.ts'

const now = new Date('2028-03-02T12:00:00Z')

test('a clock two years ahead is a problem', async () => {
  // The seconds since 1900 of 2026-03-02T12:00:00Z, in the last field of a time server's reply.
  const socket = createSocket('udp4')
  const reply = Buffer.alloc(48)
  reply.writeUInt32BE(2_208_988_800 + Date.parse('2026-03-02T12:00:00Z') / 1000, 40)
  socket.on('message', (request, { port }) => request[0] === 0x23 && socket.send(reply, port))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  const finding = await checkTime({ askTime: () => askTime('127.0.0.1', socket.address().port), now })
  socket.close()

  expect(finding).toMatchObject({
    state: 'problem',
    seen: 'The clock of this machine says 2028-03-02T12:00:00.000Z, but it is 2026-03-02T12:00:00.000Z.',
    advice: expect.stringContaining('timedatectl'),
  })
})
