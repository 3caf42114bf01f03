"""The reader of previews: bundles, live sessions and trajectories that harnesses publish.

Harnesses publish, the hub only reads. What a manifest says is foreign input: nothing outside the
bundle's folder is opened because of it, and every fault becomes an item of ``problems``.
"""
