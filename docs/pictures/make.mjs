import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run pictures`: takes the pictures of the README and the guides anew from a running product; needs a build and Chromium. */
register();
const { makePictures } = createRequire(import.meta.url)('../../services/run/test/pictures.ts');
await makePictures(import.meta.dirname ?? new URL('.', import.meta.url).pathname);
process.exit();
