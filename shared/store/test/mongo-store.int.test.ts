import { describeMongodb } from '@order-automation/testing';
import { storeConformance } from './conformance';
import { mongoUnderTest } from './mongo';

describeMongodb('store', (uri) => storeConformance('MongoDB', () => mongoUnderTest(uri)));
