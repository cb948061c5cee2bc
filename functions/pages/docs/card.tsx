import { CARD, ICON_PATH } from '../../http/files.ts';

/** The elements of a page's head that say what the page is: to search engines, to browsers and beside shared links. */
export const Card = ({ title, about, path }: { title: string; about: string; path: string }) => (
  <>
    <meta name="description" content={about} />
    <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Tandem" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={about} />
    <meta property="og:url" content={path} />
    <meta property="og:image" content={CARD.path} />
    <meta property="og:image:width" content={String(CARD.width)} />
    <meta property="og:image:height" content={String(CARD.height)} />
    <meta property="og:image:alt" content="Tandem, the scheduling API" />
    <meta name="twitter:card" content="summary_large_image" />
  </>
);
