import { STYLE } from '#shared/pages.ts'

// The build has filled in the address. In development, there is nothing to link.
const prerendered = globalThis.document?.querySelector('main link')?.getAttribute('href')
const address = globalThis.document ? prerendered : STYLE

/**
 * The styles of everything below. The browser paints what is above without them, because the document contains its styles
 * (first-view.ts).
 */
export const LateStyles = () => address && <link rel="stylesheet" href={address} fetchPriority="low" />
