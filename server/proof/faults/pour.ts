import type { Socket } from 'node:net'

/** Sends the chunk again and again until the other side hangs up. */
export function pour(socket: Socket, chunk: string | Buffer): undefined {
  while (socket.writable && socket.write(chunk));
  if (socket.writable) socket.once('drain', () => pour(socket, chunk))
}
