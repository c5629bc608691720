/** The address of the style sheet. client/build.ts inserts it where the pages are prerendered. */
declare const STYLE: string

// In development, there is nothing to link.
const address = import.meta.env.SSR ? STYLE : document.querySelector('main link')?.getAttribute('href')

/**
 * The styles of everything below. The browser paints what is above without them, because the
 * document contains its styles (first-view.ts).
 */
export const LateStyles = () => address && <link rel="stylesheet" href={address} fetchPriority="low" />
