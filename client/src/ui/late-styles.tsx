/** The address of the style sheet. client/build.ts inserts it where the pages are prerendered. */
declare const LATE_STYLE: string

// In development, there is nothing to link.
const address = import.meta.env.SSR ? LATE_STYLE : document.querySelector('main link')?.getAttribute('href')

/**
 * The styles of everything else. The browser paints what is above without them, because each
 * document contains its styles (first-view.ts).
 */
export const LateStyles = () => address && <link rel="stylesheet" href={address} fetchPriority="low" />
