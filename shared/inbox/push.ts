import * as z from 'zod/mini'

/** Whether this browser gets push messages, and the key with which it subscribes (base64url). */
export const pushState = z.object({
  publicKey: z.string(),
  endpoint: z.nullable(z.string()),
  showsContent: z.boolean(),
})
export type PushState = z.infer<typeof pushState>

const base64url = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`)))

/**
 * What a browser returns when it subscribes (Push API, `PushSubscription.toJSON`), and whether
 * messages may say what's new.
 */
export const pushSubscription = z.object({
  // A host name and nothing else: push services use no other port, and other ports could be in our
  // own network.
  endpoint: z.string().check(z.maxLength(1_000), z.regex(/^https:\/\/[\w.-]+\//)),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
  showsContent: z.boolean(),
})

export const renewedSubscription = z.omit(pushSubscription, { showsContent: true })
