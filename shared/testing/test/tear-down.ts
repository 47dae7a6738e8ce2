import { stopLanes } from './global-setup';

/** jest's globalTeardown: containers that were started are stopped. */
export default stopLanes;
