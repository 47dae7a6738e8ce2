import { findLanes } from './global-setup';

/** jest's globalSetup of the projects that need servers. */
export default findLanes;
