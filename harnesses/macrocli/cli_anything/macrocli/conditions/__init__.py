"""What a macro may require before, between and after its steps.

``kinds`` has the vocabulary, ``checks`` looks at the world, ``reading`` turns YAML into conditions.
"""
